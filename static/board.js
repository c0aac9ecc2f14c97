// Keys on the board, one press at a time, the moment a reply takes, sharing.
const one = css => document.querySelector(css)
const game = one("#game"), said = one("#status")
const on = (name, act) => game.addEventListener(name, act)
const cells = [...Array(9).keys()]
const still = matchMedia("(prefers-reduced-motion: reduce)")
const PAUSE = 300 // ms from a press to the reply, at least
const DRAWN = 180 // ms that its mark takes to be drawn
let current = 0 // the square that Tab leads to
let pressed = 0 // when a square was
let resting // the timer that ends the press

const cell = square => one("#cell-" + square)
const rove = () => cells.map(square => cell(square).tabIndex = square == current ? 0 : -1)

function step(key) {
  const column = current % 3
  if (/^[1-9]$/.test(key)) return key - 1 - current
  return {
    ArrowUp: -3, ArrowDown: 3, Home: -column, End: 2 - column,
    ArrowLeft: column && -1, ArrowRight: column < 2 ? 1 : 0
  }[key]
}

on("focusin", ({target}) => {
  if (target.matches(".cell")) current = +target.id[5]
  rove()
})

on("keydown", e => {
  if (!e.target.matches(".cell") || e.ctrlKey || e.altKey || e.metaKey) return
  const button = one(`[data-key="${CSS.escape(e.key.toLowerCase())}"]`)
  const by = step(e.key)
  if (by == undefined && !button) return
  e.preventDefault()
  if (button) button.click()
  else cell(current + by)?.focus()
})

// While a reply is under way no other press is sent.
on("htmx:confirm", e => {
  const waiting = one(".htmx-request")
  if (waiting && waiting != e.target) said.textContent = said.dataset.busy
  if (waiting || game.matches(".busy")) e.preventDefault()
})
on("htmx:beforeRequest", ({target}) => {
  if (!target.matches(".cell")) return
  pressed = performance.now()
  clearTimeout(resting)
  target.classList.add("pressed")
  game.classList.add("busy")
})
on("htmx:beforeSwap", ({detail}) => {
  const wait = still.matches ? 0 : pressed + PAUSE - performance.now()
  if (game.matches(".busy") && wait > 0) detail.swapOverride = `none swap:${wait}ms`
})
function rest() {
  game.classList.remove("busy")
  one(".pressed")?.classList.remove("pressed")
}
on("htmx:afterSettle", ({detail}) => {
  clearTimeout(resting)
  resting = setTimeout(rest, still.matches ? 0 : DRAWN)
  const {id} = detail.requestConfig.elt
  if (id && !one("#" + id)) one(".cell[name]")?.focus()
})
addEventListener("htmx:load", rove)

for (const name of ["sendError", "timeout", "responseError"])
  on("htmx:" + name, () => rest(said.textContent = said.dataset[name]))

on("click", async e => {
  const link = e.target.closest("#share")
  if (!link || !navigator.share && !navigator.clipboard) return
  e.preventDefault()
  if (navigator.share) return navigator.share({url: link.href}).catch(() => {})
  await navigator.clipboard.writeText(link.href)
  link.lastChild.textContent = "Link copied"
  link.role = "status"
})
rove()
