// ← → Home End press first, back, next and last; a focus that a swap took goes to the sentence.
const one = css => document.querySelector(css)

addEventListener("keydown", e => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches("input, select")) return
  const link = one(`[data-key="${e.key}"]`)
  if (link) e.preventDefault(link.click())
})

addEventListener("htmx:afterSettle", () => {
  if (document.activeElement == document.body) one("#told")?.focus({preventScroll: true})
})

for (const name of ["sendError", "timeout", "responseError"])
  addEventListener("htmx:" + name, () => {
    const told = one("#told")
    if (told?.dataset[name]) told.textContent = told.dataset[name]
  })
