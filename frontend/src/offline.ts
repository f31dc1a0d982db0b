/** The page that is shown when the server cannot be reached: a sentence in the reader's language, and another try now and then. */
import words from 'virtual:offline-words'

let chosen: string | undefined
try {
  chosen = (JSON.parse(localStorage.getItem('drunemeton.settings') ?? '{}') as { language?: string }).language
} catch {
  // Without storage the browser's own language it is.
}
const language = [chosen ?? '', ...navigator.languages.map((name) => name.slice(0, 2))].find((name) => name in words) ?? 'en'
const said = words[language]!
const button = document.querySelector('button')!
document.documentElement.lang = language
document.querySelector('h1')!.textContent = said['web.offline']!
document.querySelector('p')!.textContent = said['web.offline.more']!
button.textContent = said['web.again']!
button.hidden = false
button.addEventListener('click', () => location.reload())
addEventListener('online', () => location.reload())
setInterval(
  () =>
    void fetch('/api/health').then(
      (answer) => answer.ok && location.reload(),
      () => undefined,
    ),
  5000,
)
