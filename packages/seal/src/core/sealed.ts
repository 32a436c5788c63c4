/**
 * A private member makes the type nominal: no literal has it, and a spread or a copy of a sealed value loses it.
 */
declare class Seal {
  private readonly isSealed: true
}

/**
 * A value that may leave the device as a piece of a sealed bundle: encrypted, or derived so that it tells nothing. Code
 * that sends takes this type, so plain bytes do not compile there.
 */
export type Sealed<Value> = Value & Seal

/**
 * Marks a value as sealed. Only the functions of this package that encrypt or derive call it; the package does not
 * export it, and a test lists its callers.
 */
export const markSealed = <Value>(value: Value): Sealed<Value> => value as Sealed<Value>
