/** Distance from the viewport at which content is prepared. */
const MARGIN = '800px 0px'
const TURN_MS = 12

/**
 * Runs the task of each element once, when the element comes near the viewport. Runs one task at a time, so that the
 * page stays responsive.
 */
export class ViewportTasks {
  readonly #work = new WeakMap<Element, () => void | Promise<void>>()
  readonly #observer: IntersectionObserver
  #waiting: Element[] = []
  #isWorking = false

  constructor(signal: AbortSignal) {
    this.#observer = new IntersectionObserver((entries) => this.#see(entries), { rootMargin: MARGIN })
    signal.addEventListener('abort', () => {
      this.#observer.disconnect()
      this.#waiting = []
    })
  }

  add(element: Element, work: () => void | Promise<void>): void {
    this.#work.set(element, work)
    this.#observer.observe(element)
  }

  #see(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      this.#observer.unobserve(target)
      this.#waiting.push(target)
    }
    if (!this.#isWorking) void this.#go()
  }

  async #go(): Promise<void> {
    this.#isWorking = true
    let turnEndsAt = performance.now() + TURN_MS
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await this.#work.get(next)?.()
      } catch (error) {
        // The other elements are still prepared, for example if a chunk cannot be loaded.
        reportError(error)
      }
      if (performance.now() < turnEndsAt) continue
      await new Promise((resolve) => setTimeout(resolve, 0))
      turnEndsAt = performance.now() + TURN_MS
    }
    this.#isWorking = false
  }
}

/**
 * Observes the parents of distant elements instead of the elements themselves, because each observed element costs
 * time in every frame.
 */
export class ViewportGroups {
  readonly #near: ViewportTasks
  /** Pending tasks for the children of a distant group; `null` for a group near the viewport. */
  readonly #waiting = new WeakMap<Element, (() => void)[] | null>()

  constructor(near: ViewportTasks) {
    this.#near = near
  }

  /** Runs the task when the parent of the element comes near the viewport. */
  add(element: Element, work: () => void): void {
    const group = element.parentElement
    const waiting = group && this.#waiting.get(group)
    if (!group || waiting === null) work()
    else if (waiting) waiting.push(work)
    else {
      const works = [work]
      this.#waiting.set(group, works)
      this.#near.add(group, () => {
        this.#waiting.set(group, null)
        for (const one of works) one()
      })
    }
  }
}
