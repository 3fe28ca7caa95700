const { open } = require('graphdb');

open('memory://people').then(async (db) => {
  const { writeOutcome } = await db.query('CREATE (:Person {name: "Ada"})');
  console.log(writeOutcome.nodesCreated);
  await db.close();
});
