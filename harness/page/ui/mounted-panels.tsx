import type { Panels } from './panels.ts';
import { texts } from './texts.ts';
import { Happenings } from './time-line/happenings.tsx';

/** The parts that the page shows. */
export const panels: Panels = {
  drawers: [{ id: 'around', title: texts.drawer.around, draw: () => <Happenings /> }],
  sample: '',
};
