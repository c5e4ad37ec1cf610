/** How a learner's code behaves beside known mistakes and beside the reference. */
export interface Behaviour {
  /** Absent if the code resembles no mistake that a hint speaks of. */
  readonly mistakes?: {
    /** Whether every probe ends as with this one mistake, and no other mistake comes near. */
    readonly isCertain: boolean;
    /** The misconceptions, the most likely first. */
    readonly misconceptions: readonly string[];
  };
  /** Where the code and the reference part in the smallest failing scenario. Absent if that is not clear. */
  readonly parting?: Parting;
}

/** The first moment at which two runs of one scenario differ. */
export interface Parting {
  /** The actor that does something else: `replicaset-controller`. */
  readonly actor: string;
  readonly mine: Act | undefined;
  readonly reference: Act | undefined;
}

/** One line of a timeline. */
export interface Act {
  /** Its time as in the timeline: `t=302010ms`. */
  readonly at: string;
  /** `create pods/default/web-…` */
  readonly what: string;
}
