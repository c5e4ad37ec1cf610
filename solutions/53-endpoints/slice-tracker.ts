import { type EndpointSlice, keyOf, keyToString } from '#harness';
import { SERVICE_NAME } from './slice-plan.ts';

/** Stands for a generation that there will be none of: the slice was deleted. */
const DELETED = Number.POSITIVE_INFINITY;

/**
 * What the controller has written and the cache may not show yet, by Service. A decision by a cache that lacks the last
 * write is made twice, or takes a change back.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/endpointslice_tracker.go EndpointSliceTracker
 *
 * Differs: a slice that was written and is not in the cache is asked for ({@link missing}). Upstream waits for it, for
 * ever if its end was told before the write was answered.
 */
export class SliceTracker {
  /** By the Service's key, the generation of each slice, by uid. */
  readonly #written = new Map<string, Map<string, Written>>();

  /** Notes what came out of a create or an update. */
  wrote(slice: EndpointSlice): void {
    this.#note(slice, slice.metadata.generation ?? 0);
  }

  /** Notes that the slice was deleted. */
  deleted(slice: EndpointSlice): void {
    this.#note(slice, DELETED);
  }

  #note(slice: EndpointSlice, generation: number): void {
    const service = serviceKeyOf(slice);
    const written = this.#written.get(service) ?? new Map<string, Written>();
    this.#written.set(service, written.set(slice.metadata.uid, { slice, generation }));
  }

  /** Is this another state of the slice than the controller's own last write? */
  isNews(slice: EndpointSlice): boolean {
    const known = this.#written.get(serviceKeyOf(slice))?.get(slice.metadata.uid);
    return !known || (slice.metadata.generation ?? 0) > known.generation;
  }

  /**
   * Forgets a slice that has gone.
   *
   * @returns whether the controller had not deleted it: perhaps it is about to learn that it has created it
   */
  isLost(slice: EndpointSlice): boolean {
    const written = this.#written.get(serviceKeyOf(slice));
    const known = written?.get(slice.metadata.uid);
    written?.delete(slice.metadata.uid);
    return known?.generation !== DELETED;
  }

  /** Is one of the slices, as the cache has it, older than the last write of it? */
  isStale(service: string, slices: readonly EndpointSlice[]): boolean {
    const written = this.#written.get(service);
    return slices.some(
      ({ metadata }) => (metadata.generation ?? 0) < (written?.get(metadata.uid)?.generation ?? 0),
    );
  }

  /** What was written last and is not among these: the cache does not know of it yet, or no more. */
  missing(service: string, slices: readonly EndpointSlice[]): readonly EndpointSlice[] {
    const there = new Set(slices.map(({ metadata }) => metadata.uid));
    const written = [...(this.#written.get(service)?.values() ?? [])];
    return written.flatMap(({ slice, generation }) =>
      generation === DELETED || there.has(slice.metadata.uid) ? [] : [slice],
    );
  }

  /** Forgets one slice. */
  forget(slice: EndpointSlice): void {
    this.#written.get(serviceKeyOf(slice))?.delete(slice.metadata.uid);
  }

  /** Forgets all slices of a Service. */
  forgetService(service: string): void {
    this.#written.delete(service);
  }
}

/** A write, and the generation that it made. */
interface Written {
  readonly slice: EndpointSlice;
  readonly generation: number;
}

/**
 * The key of the Service whose endpoints these are.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go ServiceControllerKey
 */
export function serviceKeyOf(slice: EndpointSlice): string {
  return keyToString({ ...keyOf(slice), name: slice.metadata.labels?.[SERVICE_NAME] ?? '' });
}
