import type { AppContext } from '../context.ts'

/** Resolves once `count` requests wait for leases that others hold. */
export function whenWaiting(ctx: AppContext, count = 1): Promise<void> {
  const store = ctx.state.keyLeases
  const takeAll = store.takeAll.bind(store)
  const hasAny = store.hasAny.bind(store)
  const holdersIn = store.holdersIn.bind(store)
  const waiting = new Set<string>()
  const enough = Promise.withResolvers<void>()
  function note(who: string): void {
    waiting.add(who)
    if (waiting.size === count) enough.resolve()
  }
  store.takeAll = async (rows, o) => {
    const areTaken = await takeAll(rows, o)
    if (!areTaken) note(o.owner)
    return areTaken
  }
  store.hasAny = async (o) => {
    const isHeld = await hasAny(o)
    if (isHeld) note('one that looks')
    return isHeld
  }
  store.holdersIn = async (o) => {
    const holders = await holdersIn(o)
    if (holders.size > 0) note('one that looks')
    return holders
  }
  return enough.promise
}
