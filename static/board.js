// One tab stop, arrow keys, 1 to 9.
const board = document.querySelector("#board")
const say = document.querySelector("#status")
const cells = board.getElementsByTagName("button")
let at = 0

function rove() {
  for (const i in [...cells]) cells[i].tabIndex = i == at ? 0 : -1
}

board.role = "grid"
for (const div of board.querySelectorAll("div"))
  div.role = div.parentNode == board ? "row" : "gridcell"
rove()
addEventListener("htmx:load", rove)

board.onkeydown = e => {
  const to = {
    ArrowUp: at - 3, ArrowDown: at + 3,
    ArrowLeft: at - !!(at % 3), ArrowRight: at + (at % 3 < 2),
    Home: at - at % 3, End: at - at % 3 + 2
  }[e.key] ?? (e.key > 0 ? e.key - 1 : NaN)
  if (isNaN(to) || e.ctrlKey || e.altKey || e.metaKey) return
  e.preventDefault()
  cells[to]?.focus()
}
board.addEventListener("focusin", e => rove(at = [...cells].indexOf(e.target)))

for (const error of ["sendError", "timeout", "responseError"])
  addEventListener("htmx:" + error, () => say.textContent = say.dataset[error])
