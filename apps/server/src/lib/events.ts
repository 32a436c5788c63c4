/** Events of lower feature layers; `app.ts` connects them to higher ones. */
export interface AppEvents {
  /** A storage config is about to be deleted: last chance for work that needs its storage. */
  readonly storage_deleting: { readonly configId: string }
  /** A storage config has another location. */
  readonly storage_relocated: { readonly configId: string }
  /** A storage config has other credentials: failed work may succeed now. */
  readonly storage_reopened: { readonly configId: string }
  /** An administrator has confirmed that this server replaces the one that was backed up. */
  readonly restore_confirmed: null
}

type Listener<T> = (event: T) => void | Promise<void>

export interface Events {
  on<Name extends keyof AppEvents>(name: Name, listener: Listener<AppEvents[Name]>): void
  /** Runs the listeners in the order in which they were added. @throws the error of the first that fails. */
  announce<Name extends keyof AppEvents>(name: Name, event: AppEvents[Name]): Promise<void>
}

export function createEvents(): Events {
  const listeners = new Map<keyof AppEvents, Array<Listener<never>>>()
  return {
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
    async announce(name, event) {
      for (const listener of listeners.get(name) ?? []) await listener(event as never)
    },
  }
}
