import type { ReactNode } from 'react'
import { Component } from 'react'

interface PreviewBoundaryProps {
  /** Stands where what has failed would be. */
  renderError: (error: unknown) => ReactNode
  children: ReactNode
}

/** Keeps the fault of one file from the rest of the page. Another file, or another try, gets another one, by its key. */
export class PreviewBoundary extends Component<PreviewBoundaryProps, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure ? this.props.renderError(failure.error) : this.props.children
  }
}
