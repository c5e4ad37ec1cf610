import { components } from '#components';
import { deploymentController } from '#kata/24-deployment/deployment';
import { Stage } from '#laws/24-deployment';

/** A cluster with a running Deployment controller. */
export const begin = () => Stage.with({ ...components, deploymentController });
