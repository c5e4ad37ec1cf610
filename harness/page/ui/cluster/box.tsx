import type { ComponentChildren } from 'preact';
import type { Subject } from '../../protocol/details.ts';
import type { PlaceId } from '../../protocol/view.ts';
import { subjectKey } from '../subject-key.ts';

/** Properties of a box. */
export interface BoxProps {
  /** The place where wires end. Absent for a box without wires. */
  readonly place?: PlaceId;
  /** What the box shows when it is pressed. */
  readonly subject?: Subject;
  /** A drawer that it opens instead. */
  readonly drawer?: string;
  /** A subject whose menu it opens instead. */
  readonly menu?: Subject;
  readonly label: string;
  readonly className: string;
  readonly children?: ComponentChildren;
}

/**
 * A box of the picture: a button. The picture handles its clicks and keys, and gives one of its boxes the tab stop, so a
 * box has no handlers and no state.
 */
export function Box({ place, subject, drawer, menu, label, className, children }: BoxProps) {
  return (
    <button
      type="button"
      class={`box ${className}`}
      tabIndex={-1}
      aria-label={label}
      data-place={place}
      data-subject={subject && subjectKey(subject)}
      data-drawer={drawer}
      data-menu={menu && subjectKey(menu)}
    >
      {children}
    </button>
  );
}
