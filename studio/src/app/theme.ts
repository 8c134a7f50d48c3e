// SPDX-License-Identifier: MIT
// Light or dark: as the system says, until a person says otherwise.

const KEY = "lope-theme";

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");

  constructor(private readonly changed: (dark: boolean) => void) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    const own = this.stored();
    return own ? own === "dark" : this.system.matches;
  }

  toggle(): void {
    try {
      localStorage.setItem(KEY, this.dark ? "light" : "dark");
    } catch {
      // A page without storage forgets it.
    }
    this.apply();
  }

  private stored(): string | null {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changed(this.dark);
  }
}
