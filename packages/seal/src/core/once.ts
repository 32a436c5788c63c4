/**
 * Returns a function that runs `make` once, and gives the result to every caller. After a failure, which can be
 * temporary, the next call runs it again.
 */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let making: Promise<Value> | null = null
  const forget = () => {
    making = null
  }
  return () => {
    if (making === null) {
      making = make()
      making.catch(forget)
    }
    return making
  }
}
