import { english } from '../../../drawing/sequence/words.ts';

/** The texts of the sequence diagram. Another language replaces this table. */
export const sequenceTexts = {
  title: 'Sequence diagram',
  noStart: 'The diagram begins at an action or at the end of a fault: apply a manifest first.',
  after: 'From',
  until: 'until',
  ends: {
    soon: '20 s later, or the next action',
    next: 'the next action',
    now: 'now',
  },
  endsAt: (time: string) => `It ends at ${time}: later acts are not shown.`,
  future: 'in the future',
  empty: 'No component changed anything in this stretch of time.',
  pods: 'Pods',
  allPods: 'All pods',
  onePod: (name: string) => `Only ${name}`,
  save: 'SVG',
  saveTitle: 'Save the diagram as an SVG file',
  copy: 'Mermaid',
  copyTitle: 'Copy the diagram as Mermaid, for Markdown',
  saved: (file: string) => `Saved ${file}`,
  copied: 'Copied',
  notCopied: 'The browser does not allow copying',
  steps: 'Steps. Arrow keys choose a step, and Enter goes to its time.',
  noStep: 'Choose a step to see its time and its objects.',
  toTime: 'Go to this time',
  words: english,
} as const;
