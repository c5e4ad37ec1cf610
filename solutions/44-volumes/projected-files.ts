import type { Clock, FileSystem } from '#harness';
import { writeAtomically } from './atomic-writer.ts';
import { mountMemory, removeVolume } from './empty-dir.ts';
import { type PayloadOptions, payloadOf } from './payload.ts';
import type { VolumePlugin, VolumeSource } from './volume-spec.ts';

/** Dependencies of the plugins for volumes that show API objects. */
interface ProjectedFilesOptions extends PayloadOptions {
  readonly files: FileSystem;
  readonly clock: Clock;
}

/**
 * Plugins for volumes that show API objects as files: configMap, secret, downwardAPI and projected. They run again at
 * each sync of the pod, and write the files if their content has changed. All except config maps are in memory, so that
 * no secret is on disk.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/{configmap,secret,downwardapi,projected}
 *
 * Differs: if an update fails, the files stay as they are; upstream then unmounts the volume of the running pod.
 */
export function projectedFilesPlugins(options: ProjectedFilesOptions): readonly VolumePlugin[] {
  return [
    plugin('kubernetes.io~configmap', 'configMap', options),
    plugin('kubernetes.io~secret', 'secret', options),
    plugin('kubernetes.io~downward-api', 'downwardAPI', options),
    plugin('kubernetes.io~projected', 'projected', options),
  ];
}

function plugin(directory: string, kind: keyof VolumeSource, options: ProjectedFilesOptions): VolumePlugin {
  const { files, clock } = options;
  return {
    directory,
    readonly: true,
    remounts: true,
    knows: (source) => source[kind] !== undefined,

    async setUp({ pod, source }, dir) {
      // Read the objects first: if one is missing, the volume's directory must not be created.
      const payload = await payloadOf(source, pod, options);
      await files.mkdirAll(dir, 0o777);
      if (kind !== 'configMap') await mountMemory(files, dir);
      await writeAtomically(files, dir, payload, clock.now());
    },

    tearDown: (dir) => removeVolume(files, dir),
    pathOf: (_, dir) => dir,
  };
}
