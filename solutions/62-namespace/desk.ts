import type { ComponentContext, Namespace } from '#harness';

/** The parts of a controller's context that the deletion of a namespace uses. */
export type Desk = Pick<ComponentContext, 'client' | 'clock' | 'discoverResources' | 'log' | 'signal'>;

/** A namespace that a user has deleted. */
export type DeletedNamespace = Namespace & {
  readonly metadata: { readonly deletionTimestamp: string };
};
