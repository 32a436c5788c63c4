import type { ReactNode } from 'react'
import { Component } from 'react'

interface PreviewBoundaryProps {
  /** Renders the error in place of the children. */
  renderError: (error: unknown) => ReactNode
  children: ReactNode
}

/** Catches errors of one preview. To show another file or to try again, the parent sets a new key. */
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
