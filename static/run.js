// Play presses Next until the end, a question, or somebody; what went wrong is said.
const one = css => document.querySelector(css)
const run = one("#run"), play = one("#play"), say = one("#status")
let timer

function stop() {
  timer = clearInterval(timer)
  play.setAttribute("aria-pressed", false)
  run.removeAttribute("data-hx-replace-url")
}

function step() {
  const next = one("#next")
  if (one("#ask *") || next.ariaDisabled) stop()
  else next.click()
}

play.onclick = () => {
  if (timer) return stop()
  play.setAttribute("aria-pressed", true)
  run.setAttribute("data-hx-replace-url", true) // Back leaves what has played at one press
  timer = setInterval(step, 2500)
  one("#next").ariaDisabled ? one("#first").click() : step()
}

addEventListener("click", e => e.isTrusted && e.target != play && stop())
for (const it in say.dataset)
  addEventListener("htmx:" + it, () => stop(say.textContent = say.dataset[it]))
