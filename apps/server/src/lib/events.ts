/** Events of lower feature layers, which `app.ts` connects to higher layers. */
export interface AppEvents {
  /** A storage config is about to be deleted. Work that needs the storage must be done now. */
  readonly storage_deleting: { readonly configId: string }
  /** The location of a storage config has changed. */
  readonly storage_relocated: { readonly configId: string }
  /** The credentials of a storage config have changed, so that failed work might succeed now. */
  readonly storage_reopened: { readonly configId: string }
  /** An administrator has confirmed that this server replaces the server in the backup. */
  readonly restore_confirmed: null
}

type Listener<T> = (event: T) => void | Promise<void>

export interface Events {
  on<Name extends keyof AppEvents>(name: Name, listener: Listener<AppEvents[Name]>): void
  /** Runs the listeners in the order in which they were added. @throws the error of the first listener that fails */
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
