import { mount } from 'svelte'
import App from './App.svelte'
import { load } from './lib/pages'
import { followLinks, page } from './lib/router.svelte'
import { settings, showTheme } from './lib/settings.svelte'
import { preferred, speak } from './lib/words.svelte'

/** The worker is for later, and must not be in the way of what is wanted now. */
const LATER_MS = 4000

showTheme()
followLinks()
// The page to come is fetched beside the words, not after them.
void load[page().name]?.()
await speak(preferred(settings.language))
mount(App, { target: document.getElementById('app')! })
// Plain http in a local network knows no workers; there the browser's own page says that the server is gone.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(() => navigator.serviceWorker.register('/sw.js').catch(() => undefined), LATER_MS)
