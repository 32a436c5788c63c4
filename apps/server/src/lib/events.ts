/** What a lower layer of the features announces, and `app.ts` passes on to a higher one. */
export interface AppEvents {
  /** A storage config is about to be deleted: what waits for its storage is done now or never. */
  readonly storage_deleting: { readonly configId: string }
  /** A storage config leads to another place than before. */
  readonly storage_relocated: { readonly configId: string }
  /** A storage config has other credentials: what failed may work now. */
  readonly storage_reopened: { readonly configId: string }
  /** An administrator has confirmed that this server takes the place of the one its backup is of. */
  readonly restore_confirmed: null
}

type Listener<T> = (event: T) => void | Promise<void>

export interface Events {
  on<Name extends keyof AppEvents>(name: Name, listener: Listener<AppEvents[Name]>): void
  /** Runs the listeners in the order in which they were added. @throws what the first of them that fails throws. */
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
