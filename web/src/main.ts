import { mount } from "svelte";
import App from "./App.svelte";
import { speak, wantedLanguage } from "./lib/language.svelte";
import { keepOffline } from "./lib/offline";
import "./theme.css";

await speak(wantedLanguage()).catch(() => undefined); // without its catalogue the page is English
mount(App, { target: document.getElementById("app")! });
void keepOffline();
