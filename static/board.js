// One tab stop, arrow keys, 1 to 9; no focus lost; what went wrong.
const on = addEventListener
const one = css => document.querySelector(css)
const say = one("#status")
const cells = document.getElementsByClassName("cell")
let at = 0

for (const div of document.querySelectorAll("#board, #board div"))
  div.role = div.id ? "grid" : div.parentNode.id ? "row" : "gridcell"

const rove = () => [...cells].map(cell => cell.tabIndex = -(cell != cells[at]))
rove()
on("htmx:load", rove)
on("focusin", e => {
  if (/^cell/.test(e.target.id)) rove(at = +e.target.id[5])
})

on("keydown", e => {
  const by = {
    ArrowUp: -3, ArrowDown: 3,
    ArrowLeft: -!!(at % 3), ArrowRight: at % 3 < 2,
    Home: -at % 3, End: 2 - at % 3
  }[e.key] ?? parseInt(e.key) - 1 - at
  if (e.target != cells[at] || isNaN(by) || e.ctrlKey || e.altKey || e.metaKey) return
  e.preventDefault()
  cells[at + by]?.focus()
})

on("htmx:afterSettle", e => {
  const {id} = e.detail.requestConfig.elt
  if (id && !one("#" + id)) one(".cell[name]").focus()
})

on("htmx:confirm", () => {
  if (one(".htmx-request:not(:focus)")) say.textContent = say.dataset.busy
})
for (const it in say.dataset)
  on("htmx:" + it, () => say.textContent = say.dataset[it])
