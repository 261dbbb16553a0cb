// Sheet, notepad, hint and end at a table of their own, for tests and to look at; no part of the client.
import { mount } from "svelte";
import Parts from "./Parts.svelte";
import "../../src/theme.css";

mount(Parts, { target: document.getElementById("app")! });
