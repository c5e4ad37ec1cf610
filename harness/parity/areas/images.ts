import { pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { has, oneOf, present } from '../expectation.ts';
import { BUSYBOX, PAUSE, pod, script } from './manifests.ts';

const policy = from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Container');
const manager = from(
  'kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.EnsureImageExists',
  'a node',
);

/** Image names, and the default of their pull policy. */
const POLICIES: readonly (readonly [image: string, policy: string])[] = [
  ['nginx', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1.25', 'IfNotPresent'],
  ['localhost:5000/nginx', 'Always'],
  [`nginx@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
];
const NONE = 'registry.k8s.io/parity-no-such-image:1';

const waiting = (reason: unknown, message: unknown = present) => ({
  status: { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason, message } } }] },
});
const RUNNING = { status: { phase: 'Running' } };

/** Pulling images. */
export const pulling = area(
  'Images',
  POLICIES.map(([image, imagePullPolicy]) =>
    policy(`The image ${image.slice(0, 24)} has the pull policy ${imagePullPolicy}`, async (api) => {
      await api
        .create(pods, pod('a', { main: { image }, spec: { schedulerName: 'nobody' } }))
        .answers(201, { spec: { containers: has({ imagePullPolicy }) } });
    }),
  ),
  manager('An image that does not exist is not pulled, again and again', async (api) => {
    await api.made(pods, pod('a', { main: { image: NONE } }));
    await api.get(pods, 'a').becomes(waiting(oneOf('ErrImagePull', 'ImagePullBackOff')), { never: RUNNING });
    await api
      .get(pods, 'a')
      .becomes(waiting('ImagePullBackOff', new RegExp(`^Back-off pulling image "${NONE}"`)), {
        never: RUNNING,
      });
    await api.events('a').becomes({
      items: has(
        { type: 'Normal', reason: 'Pulling', message: `Pulling image "${NONE}"` },
        { type: 'Warning', reason: 'Failed', message: new RegExp(`^Failed to pull image "${NONE}": `) },
        { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
        { type: 'Normal', reason: 'BackOff', message: `Back-off pulling image "${NONE}"` },
        { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
      ),
    });
  }),
  manager('An image with the policy Never must be there', async (api) => {
    await api.made(pods, pod('a', { main: { image: NONE, imagePullPolicy: 'Never' } }));
    await api
      .get(pods, 'a')
      .becomes(
        waiting('ErrImageNeverPull', `Container image "${NONE}" is not present with pull policy of Never`),
        { never: RUNNING },
      );
    await api.events('a').becomes({ items: has({ type: 'Warning', reason: 'ErrImageNeverPull' }) });
  }),
  manager('An invalid name of an image is reported', async (api) => {
    await api.made(pods, pod('a', { main: { image: 'Not/Valid:name' } }));
    await api
      .get(pods, 'a')
      .becomes(
        waiting(
          'InvalidImageName',
          /^Failed to apply default image tag "Not\/Valid:name": couldn't parse image name "Not\/Valid:name": invalid reference format: repository name/,
        ),
        { never: RUNNING },
      );
    await api.events('a').becomes({ items: has({ type: 'Warning', reason: 'InspectFailed' }) });
  }),
  manager('An event reports a pulled image', async (api) => {
    await api.made(pods, script('a', 'exit 0', { main: { imagePullPolicy: 'Always' } }));
    await api.events('a').becomes({
      items: has(
        { type: 'Normal', reason: 'Pulling', message: `Pulling image "${BUSYBOX}"` },
        {
          type: 'Normal',
          reason: 'Pulled',
          message: new RegExp(
            `^Successfully pulled image "${BUSYBOX}" in .*s \\(.*s including waiting\\)\\. Image size: \\d+ bytes\\.$`,
          ),
        },
      ),
    });
  }),
  manager('An image that is present is not pulled', async (api) => {
    await api.made(pods, pod('a'));
    const { body } = await api.get(pods, 'a').becomes(RUNNING);
    const { nodeName } = (body as { readonly spec: { readonly nodeName: string } }).spec;
    await api.made(pods, pod('b', { spec: { nodeName } }));
    await api.events('b').becomes({
      items: has({
        type: 'Normal',
        reason: 'Pulled',
        message: `Container image "${PAUSE}" already present on machine and can be accessed by the pod`,
      }),
    });
  }),
  manager('Once its image is named right, a container starts', async (api) => {
    await api.made(pods, pod('a', { main: { image: NONE } }));
    await api.get(pods, 'a').becomes(waiting(oneOf('ErrImagePull', 'ImagePullBackOff')));
    await api
      .patch(pods, 'a', 'strategic', { spec: { containers: [{ name: 'main', image: PAUSE }] } })
      .answers(200);
    await api.get(pods, 'a').becomes(RUNNING);
  }),
);
