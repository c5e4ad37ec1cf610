/** The words of a drawn sequence diagram. The names of components, verbs and objects are the same in every language. */
export interface SequenceWords {
  readonly title: string;
  /** The legend. */
  readonly request: string;
  readonly event: string;
  readonly call: string;
  readonly failed: string;
  /** Describes the picture for a screen reader. */
  readonly description: (steps: number, participants: readonly string[]) => string;
  /** The place of a process that runs on several nodes. */
  readonly nodes: (count: number) => string;
  /** The revisions that requests have reached. */
  readonly revisions: (first: number, last: number) => string;
  /** A step as a sentence; `to` is absent for a note or an act of one participant. */
  readonly sentence: (step: {
    readonly time: string;
    readonly from: string;
    readonly to?: string;
    readonly text: string;
  }) => string;
}

export const english: SequenceWords = {
  title: 'Sequence diagram',
  request: 'request to the apiserver',
  event: 'watch event',
  call: 'call on a node',
  failed: 'failed',
  description: (steps, participants) =>
    `${steps === 1 ? '1 step' : `${steps} steps`} between ${participants.join(', ')}. Times in ms.`,
  nodes: (count) => `${count} nodes`,
  revisions: (first, last) => (first === last ? `revision ${first}` : `revisions ${first}–${last}`),
  sentence: ({ time, from, to, text }) =>
    `At ${time}, ${to === undefined ? from : `${from} to ${to}`}: ${text}`,
};
