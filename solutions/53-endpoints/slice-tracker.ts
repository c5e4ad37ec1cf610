import { type EndpointSlice, keyOf, keyToString } from '#harness';
import { SERVICE_NAME } from './slice-plan.ts';

/** The generation that marks a deleted slice. */
const DELETED = Number.POSITIVE_INFINITY;

/**
 * The controller's own writes that the cache may not show yet, by Service. A decision based on a cache without the last
 * write repeats that write, or reverts it.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/endpointslice_tracker.go EndpointSliceTracker
 *
 * Differs: the controller reads a written slice that is not in the cache ({@link missing}). Upstream waits for it, and
 * waits forever if its deletion was observed before the response to the write.
 */
export class SliceTracker {
  /** By the Service's key: the last written generation of each slice, by uid. */
  readonly #written = new Map<string, Map<string, Written>>();

  /** Records the result of a create or an update. */
  wrote(slice: EndpointSlice): void {
    this.#note(slice, slice.metadata.generation ?? 0);
  }

  /** Records the deletion of a slice. */
  deleted(slice: EndpointSlice): void {
    this.#note(slice, DELETED);
  }

  #note(slice: EndpointSlice, generation: number): void {
    const service = serviceKeyOf(slice);
    const written = this.#written.get(service) ?? new Map<string, Written>();
    this.#written.set(service, written.set(slice.metadata.uid, { slice, generation }));
  }

  /** Reports whether the slice is newer than the controller's own last write. */
  isNews(slice: EndpointSlice): boolean {
    const known = this.#written.get(serviceKeyOf(slice))?.get(slice.metadata.uid);
    return !known || (slice.metadata.generation ?? 0) > known.generation;
  }

  /**
   * Drops a deleted slice.
   *
   * @returns true if the controller did not delete it itself, also when the response to its own create is still on its
   * way
   */
  isLost(slice: EndpointSlice): boolean {
    const written = this.#written.get(serviceKeyOf(slice));
    const known = written?.get(slice.metadata.uid);
    written?.delete(slice.metadata.uid);
    return known?.generation !== DELETED;
  }

  /** Reports whether one of the cached slices is older than the last write to it. */
  isStale(service: string, slices: readonly EndpointSlice[]): boolean {
    const written = this.#written.get(service);
    return slices.some(
      ({ metadata }) => (metadata.generation ?? 0) < (written?.get(metadata.uid)?.generation ?? 0),
    );
  }

  /** Returns the written slices that are not among these: the cache does not contain them yet, or no longer. */
  missing(service: string, slices: readonly EndpointSlice[]): readonly EndpointSlice[] {
    const there = new Set(slices.map(({ metadata }) => metadata.uid));
    const written = [...(this.#written.get(service)?.values() ?? [])];
    return written.flatMap(({ slice, generation }) =>
      generation === DELETED || there.has(slice.metadata.uid) ? [] : [slice],
    );
  }

  /** Drops one slice. */
  forget(slice: EndpointSlice): void {
    this.#written.get(serviceKeyOf(slice))?.delete(slice.metadata.uid);
  }

  /** Drops all slices of a Service. */
  forgetService(service: string): void {
    this.#written.delete(service);
  }
}

/** A write, and the generation that it produced. */
interface Written {
  readonly slice: EndpointSlice;
  readonly generation: number;
}

/**
 * Returns the key of the Service that a slice belongs to.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go ServiceControllerKey
 */
export function serviceKeyOf(slice: EndpointSlice): string {
  return keyToString({ ...keyOf(slice), name: slice.metadata.labels?.[SERVICE_NAME] ?? '' });
}
