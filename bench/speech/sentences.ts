/** English to be spoken: short sentences of every day, without names and figures that are written in several ways. */
export const sentences: readonly string[] = `
The ferry to the island leaves early in the morning.
Please close the gate when you leave the garden.
My brother repairs old clocks in a small workshop.
The library is closed on Sundays and on public holidays.
She found the missing keys under a pile of newspapers.
We walked along the river until it began to rain.
The soup needs a little more salt and some pepper.
Nobody could explain why the lights went out.
The children built a castle out of wet sand.
He has worked as a nurse in this hospital for many years.
There is a bakery next to the railway station.
The meeting has been moved to the afternoon.
You can return the books through the slot beside the door.
The train was late because of snow on the tracks.
Our neighbours keep chickens behind their house.
The doctor told him to drink more water.
I have never seen so many stars in the sky.
They painted the kitchen in a warm yellow.
The price of bread has risen again this year.
A strong wind blew the roof off the old barn.
She speaks three languages and is learning another.
The museum shows paintings from all over the world.
Put the letters on the table in the hall.
We should leave before the traffic gets worse.
The teacher asked the class to be quiet.
Every evening he takes his dog for a long walk.
The bridge will be closed for repairs next month.
It took them two hours to climb the hill.
The farmer sells apples and potatoes at the market.
I would like a cup of tea without sugar.
The shop around the corner opens at nine.
Her grandmother taught her how to knit.
The engine makes a strange noise when it is cold.
They have lived in the same street since they were young.
A small boat was drifting near the harbour.
The film was much longer than we expected.
Please write your name at the top of the page.
The bus stops in front of the town hall.
He forgot his umbrella in the restaurant.
We grow tomatoes and beans in the greenhouse.
The company will pay for the damage.
Water boils at a lower temperature in the mountains.
She carried the heavy box up the stairs.
The old map shows a path through the forest.
My sister plays the piano and sings in a choir.
The window was broken by a ball.
You need a warm coat in this weather.
The judge listened to both sides of the story.
Fresh fish is delivered every Tuesday.
The lamp on the desk does not work.
He counted the money twice before he left.
The road follows the coast for many miles.
We heard somebody knocking at the back door.
The cat slept on the chair all day.
Tickets can be bought on board the ship.
The students wrote a report about the experiment.
This medicine must be kept in the fridge.
The mayor opened the new swimming pool.
Dinner will be ready in half an hour.
They planted a tree on the day she was born.
The tailor shortened the sleeves of my jacket.
Thunder woke the baby in the middle of the night.
The factory makes shoes and leather bags.
Please turn off the lights when you go home.
`
  .trim()
  .split("\n");

/** What Asterisk's English prompts say (package asterisk-core-sounds-en-wav: a person's voice, by telephone). */
export const prompts: Readonly<Record<string, string>> = {
  "agent-alreadyon": "That agent is already logged on. Please enter your agent number followed by the pound key.",
  "all-circuits-busy-now": "All circuits are busy now.",
  "auth-incorrect": "Password incorrect. Please enter your password followed by the pound key.",
  "cannot-complete-as-dialed": "Your call cannot be completed as dialed.",
  "check-number-dial-again": "Please check the number and dial again.",
  "conf-enteringno": "You are entering conference number.",
  "conf-getpin": "Please enter the conference pin number.",
  "conf-invalid": "I am sorry that is not a valid conference number. Please try again.",
  "conf-kicked": "You have been kicked from this conference.",
  "conf-leaderhasleft": "The leader has left the conference.",
  "conf-locked": "This conference is locked.",
  "conf-lockednow": "The conference is now locked.",
  "conf-muted": "You are now muted.",
  "conf-onlyperson": "You are currently the only person in this conference.",
  "conf-unlockednow": "The conference is now unlocked.",
  "conf-unmuted": "You are now unmuted.",
  "conf-waitforleader": "The conference will begin when the leader arrives.",
};
