/** The browser's offer to install the app. It can be taken once. */
export interface InstallPrompt extends Event {
  readonly prompt: () => Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

let waiting: InstallPrompt | null = null

/** The browser may make its offer before there is anything to show it with. */
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
