// The game: keys on the board, one press at a time, the moment a reply takes, sharing.
const game = document.querySelector("#game")
const said = document.querySelector("#status")
const board = document.querySelector("#board")
const cells = () => [...board.querySelectorAll(".cell")]
const still = matchMedia("(prefers-reduced-motion: reduce)")
const PAUSE = 300 // milliseconds from a press to the reply, if the answer does not take longer
const DRAWN = 180 // and that the mark of the reply takes to be drawn
let current = 0 // the square that Tab leads to
let pressed = 0 // when a square was pressed
let resting // the timer that ends what the press began

// One tab stop for nine squares.
function rove() {
  cells().forEach((cell, square) => { cell.tabIndex = square === current ? 0 : -1 })
}

function step(key) {
  const column = current % 3
  if (/^[1-9]$/.test(key)) return Number(key) - 1 - current
  if (key === "ArrowUp") return -3
  if (key === "ArrowDown") return 3
  if (key === "ArrowLeft") return column > 0 ? -1 : 0
  if (key === "ArrowRight") return column < 2 ? 1 : 0
  if (key === "Home") return -column
  if (key === "End") return 2 - column
}

board.addEventListener("focusin", event => {
  current = cells().indexOf(event.target)
  rove()
})

board.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  const by = step(event.key)
  const button = game.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)
  if (by === undefined && !button) return
  event.preventDefault()
  if (button) button.click()
  else cells()[current + by]?.focus()
})

// While a reply is under way the seats say so, and no other press is sent.
game.addEventListener("htmx:confirm", event => {
  const waiting = game.querySelector(".htmx-request")
  if (waiting && waiting !== event.target) said.textContent = said.dataset.busy
  if (waiting || game.classList.contains("busy")) event.preventDefault()
})
game.addEventListener("htmx:beforeRequest", event => {
  if (!event.target.matches(".cell")) return
  pressed = performance.now()
  clearTimeout(resting)
  event.target.classList.add("pressed")
  game.classList.add("busy")
})
game.addEventListener("htmx:beforeSwap", event => {
  const wait = still.matches ? 0 : PAUSE - (performance.now() - pressed)
  if (game.classList.contains("busy") && wait > 0) event.detail.swapOverride = `none swap:${wait}ms`
})
function rest() {
  game.classList.remove("busy")
  game.querySelector(".pressed")?.classList.remove("pressed")
}
game.addEventListener("htmx:afterSettle", event => {
  clearTimeout(resting)
  resting = setTimeout(rest, still.matches ? 0 : DRAWN)
  const { id } = event.detail.requestConfig.elt
  if (id && !document.getElementById(id)) board.querySelector(".cell[name]")?.focus()
})
document.addEventListener("htmx:load", rove)

// What went wrong is said, and the board is as it was.
for (const wrong of ["sendError", "timeout", "responseError"])
  game.addEventListener(`htmx:${wrong}`, () => {
    rest()
    said.textContent = said.dataset[wrong]
  })

game.addEventListener("click", async event => {
  const link = event.target.closest("#share")
  const how = navigator.share ?? navigator.clipboard?.writeText
  if (!link || !how) return
  event.preventDefault()
  if (navigator.share) return navigator.share({ title: document.title, url: link.href }).catch(() => {})
  await navigator.clipboard.writeText(link.href)
  link.lastChild.textContent = "Link copied"
  link.role = "status"
})
rove()
