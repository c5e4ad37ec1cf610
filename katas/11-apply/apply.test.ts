// One file a level, in teaching order.
import './levels/1-documents.test.ts';
import './levels/2-last-applied.test.ts';
import './levels/3-three-versions.test.ts';
import './levels/4-lists-of-objects.test.ts';
import './levels/5-lists-of-scalars.test.ts';
import './levels/6-plan.test.ts';
import './levels/7-one-object.test.ts';
import './levels/8-all-objects.test.ts';
import './levels/9-order.test.ts';
import './levels/10-server-side.test.ts';
import './levels/11-prune.test.ts';
