import type { ComponentChild, FunctionComponent } from 'preact';
import type { Subject } from '../protocol/details.ts';
import type { RunService } from '../protocol/run-service.ts';

/** The parts of the page outside its shell. The shell shows the parts that it receives. */
export interface Panels {
  readonly Inspector?: FunctionComponent<InspectorProps>;
  readonly Menu?: FunctionComponent<MenuProps>;
  /** Lines about the latest acts of the user. */
  readonly News?: FunctionComponent;
  /** Closes the lines of {@link News}. @returns whether any was open */
  readonly closeNews?: () => boolean;
  /** The drawers below the picture, in the order of their tabs. */
  readonly drawers: readonly Drawer[];
  /** The manifest that the first hint applies. */
  readonly sample: string;
}

/** Properties of the panel that looks into a subject. */
export interface InspectorProps {
  readonly subject: Subject;
  readonly onSubject: (subject: Subject) => void;
  readonly service: RunService;
  /** The present, in virtual ms. */
  readonly now: number;
}

/** Properties of the menu of a subject. */
export interface MenuProps {
  readonly subject: Subject;
  /** The box that the menu belongs to. */
  readonly at: DOMRect;
  /** Called when the menu has closed. The focus is back at the box. */
  readonly onClose: () => void;
}

/** A drawer: a tab at the bottom of the page, and its content. */
export interface Drawer {
  /** `prompt` is the drawer that the key `/` opens. */
  readonly id: string;
  readonly title: string;
  readonly draw: (options: DrawerOptions) => ComponentChild;
}

/** What a drawer may use. */
export interface DrawerOptions {
  readonly service: RunService;
  readonly onSubject: (subject: Subject) => void;
}
