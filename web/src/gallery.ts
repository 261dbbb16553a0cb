// All of our art on one page, while drawing: `npm run dev`, then /gallery.html or /gallery.html?dark. It is no part of the
// client that is built.
import { mount } from "svelte";
import Gallery from "./pages/Gallery.svelte";
import "./theme.css";

document.documentElement.dataset.theme = location.search === "?dark" ? "dark" : "light";
mount(Gallery, { target: document.getElementById("app")! });
