// Keys on the board, one click at a time, the moment a reply takes, sharing.
const one = css => document.querySelector(css)
const game = one("#game"), board = one("#board")
const on = (name, act) => game.addEventListener(name, act)
const PAUSE = 300 // ms from a click to the reply, at least
let current = 0 // the square that Tab leads to
let asked // what was clicked last, until its response is there
let pressed = -PAUSE // when a square was

const cell = square => one("#cell-" + square)
function rove() {
  for (let square = 0; square < 9; square++) cell(square).tabIndex = square == current ? 0 : -1
}

function step(key) {
  const column = current % 3
  return {
    ArrowUp: -3, ArrowDown: 3, Home: -column, End: 2 - column,
    ArrowLeft: column && -1, ArrowRight: column < 2 && 1
  }[key]
}

// A key that is not Latin goes by its place; on the keypad 7 8 9 is on top.
function name({key = "", code = "", shiftKey}) {
  if (!key[1] && /^Numpad\d/.test(code)) return "0789456123".indexOf(code[6])
  return shiftKey || /[a-z\d]/i.test(key) ? key : code.replace(/Digit|Key/, "")
}

// Keys act on the game's own controls alone. A repeated one begins nothing.
addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey) return
  board.removeAttribute("aria-describedby")
  const from = e.composedPath()[0], key = name(e), digit = cell(key - 1)
  if (!from.matches?.("#game :is(#board, a, button, summary):not(:read-write)")) return
  const button = digit ?? one(`[data-key="${CSS.escape(key)}" i]`)
  const way = from.closest("#board") && step(key)
  if (way == null && !button && !(e.repeat && key == "Enter")) return
  e.preventDefault()
  if (way != null) cell(current + (from != board && way))?.focus()
  else if (!e.repeat) {
    digit?.focus()
    button.click()
  }
})

// The board has the focus at once; until a key is pressed no ring shows, and it says what is said.
if (document.activeElement == document.body) board.focus({preventScroll: true})

for (const used of ["click", "focusin"])
  addEventListener(used, ({target}) => {
    if (target.matches?.(".cell")) rove(current = +target.id[5])
  })

// What a click led to moves until the next one.
for (const used of ["pointerdown", "keydown"])
  addEventListener(used, () => game.classList.remove("just"))

// The mark is drawn in the next frame; only then is the click sent, which takes as long again.
on("htmx:confirm", e => {
  const {target, detail} = e
  // A double click, or any click while another is being sent, is dropped.
  if (asked) {
    if (asked != target) tell("busy")
    return e.preventDefault()
  }
  asked = target
  rest()
  if (!target.matches(".cell")) return
  e.preventDefault()
  pressed = performance.now()
  target.classList.add("pressed")
  game.classList.add("busy")
  requestAnimationFrame(() => setTimeout(() => detail.issueRequest(true)))
})
on("htmx:beforeSwap", ({detail}) => {
  // An end has its pause in how it moves.
  const wait = matchMedia("(prefers-reduced-motion)").matches || /verdict/.test(detail.xhr.response) ? 0 : pressed + PAUSE - performance.now()
  if (wait > 0) detail.swapOverride = `none swap:${wait}ms`
})
function rest() {
  game.classList.remove("busy")
  one(".pressed")?.classList.remove("pressed")
}
on("htmx:afterSwap", () => {
  tries = 0
  if (asked?.matches(".cell")) game.classList.add("just")
  rove()
  rest()
  share()
})
on("htmx:afterSettle", ({detail}) => {
  asked = null
  const {id} = detail.requestConfig.elt
  if (!document.activeElement.matches("body, main")) return // Safari focuses no button pressed
  const there = id && one("#" + id)
  ;(there?.checkVisibility() ? there : one(".cell[name]"))?.focus()
})

// What went wrong is said in place of what was said before, and the board is as it was.
function tell(what, again) {
  one("#wrong")?.remove()
  one("#status").insertAdjacentHTML("afterbegin", `<p class="speech wrong" id="wrong">${game.dataset[what]} ${
    again ? '<button class="link" type="button">Try again</button>' : ""}</p>`)
  if (again) one("#wrong button").onclick = () => again.click()
}
on("click", ({target}) => {
  if (target.closest(".cell[aria-disabled]") && one(".cell[name]")) tell("taken")
})

// A server that is being replaced hangs up, or nginx answers in its place: the same click is sent again, up
// to three times, a second apart. Without an answer no cookie has come, so nothing is played twice.
let tries = 0
for (const name of ["sendError", "timeout", "responseError"])
  on("htmx:" + name, ({detail}) => {
    const again = asked, soon = name != "timeout" && detail.xhr.status % 500 < 5 && tries++ < 3
    setTimeout(() => {
      asked = null
      rest()
      soon ? again.click() : tell(name, again)
    }, soon && 1000)
  })

// What sends a game on comes with the first game that can be sent.
function share() {
  if (one("#share")) import("./share.js")
}

rove()
share()
