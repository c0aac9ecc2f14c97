// ← → Home End press links, on a projector a clicker's keys as well; Play presses Next; a focus that a
// swap took goes to the sentence.
const one = css => document.querySelector(css)
let timer, unfolded

function play(on) {
  timer = clearInterval(timer)
  if (on) timer = setInterval(step, 2500)
  show()
}

function show() {
  one("#play")?.setAttribute("aria-pressed", !!timer)
}

function step() {
  const next = one("#next")
  if (next?.dataset.key) next.click()
  else play(false)
}

addEventListener("click", e => {
  if (e.target.closest("#play")) {
    play(!timer)
    if (timer) one("#next").click()
  } else if (e.isTrusted) play(false)
})

addEventListener("keydown", e => {
  // What opened over the page closes by Escape, and its summary has the focus.
  if (e.key == "Escape") for (const panel of document.querySelectorAll(".tools > [open]")) {
    panel.open = false
    panel.firstElementChild.focus()
  }
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches("input, select")) return
  const link = one(`[data-key~="${e.key}"]`)
  if (link) e.preventDefault(play(false), link.click())
})

addEventListener("htmx:afterSettle", () => {
  show()
  if (document.activeElement == document.body) one("#told")?.focus({preventScroll: true})
  // What teaches may be longer than the screen by some lines: its end comes in sight above the foot.
  const box = part => part?.getBoundingClientRect()
  const said = box([...document.querySelectorAll(".lesson :is(.bubble, .duo p, #after .card, .also)")].pop())
  const over = said?.bottom + 8 - box(one("#foot"))?.top
  if (over > 0) scrollBy(0, Math.min(over, said.top))
})

// The list of a game stays open from move to move.
addEventListener("toggle", e => {
  if (e.target.matches(".fold")) unfolded = e.target.open
}, true)
addEventListener("htmx:afterSwap", () => {
  if (!unfolded || !one(".fold")) return
  one(".fold").open = true
  if (document.activeElement == document.body) one(".fold [aria-current]")?.focus()
})

// What opens below what is in sight comes above the foot.
addEventListener("toggle", e => e.target.closest(".aside[open]")?.scrollIntoView({block: "nearest"}), true)

for (const name of ["sendError", "timeout", "responseError"])
  addEventListener("htmx:" + name, () => {
    play(false)
    const told = one("#told")
    if (told?.dataset[name]) told.textContent = told.dataset[name]
  })

// Without script an address ends in the part to look at; with it nothing scrolls.
addEventListener("htmx:configRequest", e => e.detail.path = e.detail.path.split("#")[0])
