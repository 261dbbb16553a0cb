import { mount } from "svelte";
import App from "./App.svelte";
import { speak, wantedLanguage } from "./lib/language.svelte";
import { keepOffline } from "./lib/offline";
import { router } from "./lib/router.svelte";
import { load } from "./pages";
import "./theme.css";

load(router.route.page).catch(() => {}); // beside the language; the app will say so
await speak(wantedLanguage()).catch(() => undefined); // without its catalogue the page is English
mount(App, { target: document.getElementById("app")! });
void keepOffline();
