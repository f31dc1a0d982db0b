// Runs within the page itself, before any script has come: whatever this address will need is asked for at once, not link by link.
// AHEAD names the files of this build: by page, by game, by language.
{
  const ahead = AHEAD
  const kept = (key) => {
    try {
      return JSON.parse(localStorage.getItem('drunemeton.' + key))
    } catch {
      return null
    }
  }
  const hinted = new Set()
  const hint = (files = []) => {
    for (const file of files) {
      if (hinted.has(file)) continue
      hinted.add(file)
      const style = file.endsWith('.css')
      document.head.append(
        Object.assign(document.createElement('link'), {
          rel: style ? 'preload' : 'modulepreload',
          as: style ? 'style' : 'script',
          crossOrigin: '',
          href: file,
        }),
      )
    }
  }
  // The answers wait for the first who asks the same; see lib/api.ts.
  const asked = (globalThis.asked = {})
  const ask = (path) => {
    const answer = (asked[path] = fetch(path))
    answer.catch(() => undefined)
    return answer
  }
  const [room = '', id = ''] = location.pathname.split('/').slice(1)
  const language = [kept('settings')?.language, ...navigator.languages.map((name) => name.slice(0, 2)), 'en'].find(
    (name) => name in ahead.words,
  )
  hint(ahead.words[language])
  hint(ahead.pages[room])
  if (room === '') ['/api/games', '/api/tables'].forEach(ask)
  if (room === 't' && id) {
    ask('/api/version')
    const game = kept('tables')?.find?.((table) => table.id === id)?.game
    hint(ahead.games[game])
    if (location.hash || !game) {
      ask('/api/tables/' + id)
        .then((answer) => answer.clone().json())
        .then((table) => hint(ahead.games[table.game]))
        .catch(() => undefined)
    }
  }
}
