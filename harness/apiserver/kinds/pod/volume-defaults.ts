import type * as core from '#api/core/v1';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { pullPolicyOf } from './container-defaults.ts';
import { setFieldRefDefaults } from './field-ref-defaults.ts';

/** Default mode bits of files in volumes, 0644. JSON has no octal numbers. */
const MODE_DEFAULT = 0o644;

/**
 * Sets the defaults of a volume. A volume without a source is an emptyDir.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/{defaults,zz_generated.defaults}.go SetDefaults_Volume and
 * its siblings
 */
export function setVolumeDefaults(volume: core.Volume): core.Volume {
  const hasSource = Object.entries(volume).some(([key, value]) => key !== 'name' && value);
  if (!hasSource) return { ...volume, emptyDir: {} };
  let result = withChanged(volume, 'configMap', (source) =>
    withDefaults(source, { defaultMode: MODE_DEFAULT }),
  );
  result = withChanged(result, 'secret', (source) => withDefaults(source, { defaultMode: MODE_DEFAULT }));
  result = withChanged(result, 'hostPath', (source) => withDefaults(source, { type: '' }));
  result = withChanged(result, 'downwardAPI', (source) =>
    withDefaults(setDownwardAPIDefaults(source), { defaultMode: MODE_DEFAULT }),
  );
  result = withChanged(result, 'image', (source) =>
    withDefaults(source, { pullPolicy: pullPolicyOf(source.reference) }),
  );
  result = withChanged(result, 'ephemeral', (source) =>
    withChanged(source, 'volumeClaimTemplate', (template) =>
      withChanged(template, 'spec', (spec) => withDefaults(spec, { volumeMode: 'Filesystem' })),
    ),
  );
  result = withChanged(result, 'iscsi', (source) => withDefaults(source, { iscsiInterface: 'default' }));
  result = withChanged(result, 'rbd', (source) =>
    withDefaults(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  );
  result = withChanged(result, 'azureDisk', (source) =>
    withDefaults(source, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false }),
  );
  result = withChanged(result, 'scaleIO', (source) =>
    withDefaults(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  );
  return withChanged(result, 'projected', (source) =>
    withChanged(withDefaults(source, { defaultMode: MODE_DEFAULT }), 'sources', (sources) =>
      mapItems(sources, setProjectionDefaults),
    ),
  );
}

function setProjectionDefaults(projection: core.VolumeProjection): core.VolumeProjection {
  const result = withChanged(projection, 'downwardAPI', setDownwardAPIDefaults);
  return withChanged(result, 'serviceAccountToken', (token) =>
    withDefaults(token, { expirationSeconds: 3600 }),
  );
}

function setDownwardAPIDefaults<T extends { items?: core.DownwardAPIVolumeFile[] }>(source: T): T {
  return withChanged(source, 'items', (items) =>
    mapItems(items, (item) => withChanged(item, 'fieldRef', setFieldRefDefaults)),
  );
}
