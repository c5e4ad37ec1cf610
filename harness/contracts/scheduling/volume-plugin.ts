import type { ComponentContext } from '../component-context.ts';
import type { BindPlugin, FilterPlugin, ReportEvent, ReservePlugin } from '../framework/index.ts';

/**
 * The scheduler plugin for the volumes of pods. Its `bind` binds the volumes and returns `Skip`, so that the next plugin
 * binds the pod.
 *
 * Differs: upstream binds volumes at the extension point PreBind, which is missing here.
 */
export interface VolumePlugin extends FilterPlugin, ReservePlugin, BindPlugin {
  /** Registers a listener for the events of claims, volumes and storage classes. */
  onEvent(report: ReportEvent): void;
}

/** Options of a {@link VolumePlugin}. */
export interface VolumePluginOptions {
  readonly context: Omit<ComponentContext, 'profile'>;
  /**
   * Resolves when the cluster has its first claim. Until then the plugin watches nothing. Absent: the cluster has had a
   * claim.
   */
  readonly firstClaim?: Promise<void>;
}

/** Creates the volume plugin of a starting scheduler. */
export type NewVolumePlugin = (options: VolumePluginOptions) => VolumePlugin;
