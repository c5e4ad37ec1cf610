import { render } from 'preact';
import { FailurePage } from './failure-page.tsx';
import './failure.css';
import './failure-table.css';

/**
 * Draws the failing law of a kata in place of the cluster.
 *
 * @param kata `23`
 */
export function showFailure(root: HTMLElement, kata: string): void {
  const onClose = (): void => {
    location.hash = '';
  };
  render(<FailurePage kata={kata} onClose={onClose} />, root);
}
