import type { ReactNode } from 'react'

export function PastePage(): ReactNode {
  return null
}
