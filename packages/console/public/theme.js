// Applies the stored theme before the first paint; src/app/theme.ts changes it afterwards.
try {
  const theme = localStorage.getItem("tracon.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be blocked; the system's theme stays then.
}
