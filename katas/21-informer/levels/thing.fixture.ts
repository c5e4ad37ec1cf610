/** A stand-in for an object: the cache and the queue do not care what they hold. */
export interface Thing {
  readonly name: string;
  readonly val?: number;
  readonly tags?: readonly string[];
}

/** The key of a {@link Thing}. */
export const byName = ({ name }: Thing): string => name;
