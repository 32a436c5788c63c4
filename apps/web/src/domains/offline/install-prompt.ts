/** The browser's install prompt. It can be used once. */
export interface InstallPrompt extends Event {
  readonly prompt: () => Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

let waiting: InstallPrompt | null = null

/** The browser may fire the event before the app can show anything. */
export function catchInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    waiting = event as InstallPrompt
  })
  window.addEventListener('appinstalled', () => {
    waiting = null
  })
}

export const peekInstallPrompt = (): InstallPrompt | null => waiting

export function takeInstallPrompt(): InstallPrompt | null {
  const taken = waiting
  waiting = null
  return taken
}
