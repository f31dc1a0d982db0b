import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { followLinks } from './lib/router.svelte'
import { settings, showTheme } from './lib/settings.svelte'
import { preferred, speak } from './lib/words.svelte'

showTheme()
followLinks()
await speak(preferred(settings.language))
mount(App, { target: document.getElementById('app')! })
