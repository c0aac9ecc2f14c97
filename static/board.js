// What went wrong; one tab stop, arrow keys, 1 to 9.
const say = document.querySelector("#status")
const cells = document.getElementsByClassName("cell")
let at = 0

function rove() {
  for (const i in [...cells]) cells[i].tabIndex = i == at ? 0 : -1
}

for (const div of document.querySelectorAll("#board, #board div"))
  div.role = div.id ? "grid" : div.parentNode.id ? "row" : "gridcell"
rove()
addEventListener("htmx:load", rove)

addEventListener("focusin", e => {
  if (/^cell/.test(e.target.id)) rove(at = +e.target.id[5])
})

addEventListener("keydown", e => {
  const to = {
    ArrowUp: at - 3, ArrowDown: at + 3,
    ArrowLeft: at - !!(at % 3), ArrowRight: at + (at % 3 < 2),
    Home: at - at % 3, End: at - at % 3 + 2
  }[e.key] ?? (e.key > 0 ? e.key - 1 : NaN)
  if (e.target != cells[at] || isNaN(to) || e.ctrlKey || e.altKey || e.metaKey) return
  e.preventDefault()
  cells[to]?.focus()
})

for (const it in say.dataset)
  addEventListener("htmx:" + it, () => say.textContent = say.dataset[it])
