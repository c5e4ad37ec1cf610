import { components } from '#components';
import { deploymentController } from '#kata/24-deployment/deployment';
import { Stage } from '#laws/24-deployment';

/** A cluster in which the controller works. */
export const begin = () => Stage.with({ ...components, deploymentController });
