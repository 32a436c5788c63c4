/** The private member makes the type nominal: literals, spreads and copies of a sealed value do not have this type. */
declare class Seal {
  private readonly isSealed: true
}

/**
 * A value that may leave the device as a part of a sealed bundle, because it is encrypted, or derived so that it
 * reveals nothing. Functions that send data accept only this type, so passing plain bytes is a compile error.
 */
export type Sealed<Value> = Value & Seal

/**
 * Marks a value as sealed. Only the functions of this package that encrypt or derive call it; the package does not
 * export it, and a test lists its callers.
 */
export const markSealed = <Value>(value: Value): Sealed<Value> => value as Sealed<Value>
