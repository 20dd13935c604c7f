"""Names of guests: an adjective, an animal and a number, from word lists of our own in which no pair offends."""

from typing import Protocol

# Qualities of light, weather, making and temper; none of the body, of origin, of wits, or that sours beside an animal.
_ADJECTIVES = (
    "Amber Autumn Bold Brave Breezy Bright Brisk Bronze Calm Cheerful Clear Clever Coastal Copper Coral Cosmic "
    "Crimson Curious Daring Dawn Eager Early Easy Elegant Emerald Evening Fabled Fair Festive Fleet Frosty Gallant "
    "Gentle Giddy Gilded Glad Golden Graceful Grand Happy Hardy Hazel Honest Humble Indigo Ivory Jade Jaunty Jolly "
    "Jovial Keen Kind Lively Lucky Lunar Maple Marble Mellow Merry Mighty Minty Misty Modest Morning Mossy Neat "
    "Nimble Noble Northern Opal Patient Pearly Playful Plucky Polar Polite Proud Quick Quiet Rapid Ready Royal Ruby "
    "Rustic Sage Sandy Scarlet Serene Silver Sleepy Snowy Solar Sparkly Spring Spry Starry Steady Stellar Summer "
    "Sunny Swift Tidy Tranquil Trusty Upbeat Velvet Vivid Wandering Warm Willow Winter Wise Witty Zesty"
)
# Animals that are not used as words for people.
_ANIMALS = (
    "Alpaca Antelope Auk Avocet Axolotl Badger Bilby Bison Bittern Bobolink Bumblebee Bunting Caribou Chamois "
    "Chickadee Chipmunk Condor Cormorant Crane Cricket Curlew Dormouse Dragonfly Dunlin Egret Eland Ermine Falcon "
    "Finch Firefly Flamingo Gannet Gazelle Gecko Gibbon Goldfinch Grebe Grouse Hare Hedgehog Heron Hoopoe Ibex Ibis "
    "Jackdaw Jerboa Kestrel Kingfisher Kite Kiwi Koala Koi Lapwing Lemming Lemur Leopard Linnet Llama Loon Lynx "
    "Mallard Manatee Manta Marmot Marten Merlin Moose Moth Narwhal Newt Nightjar Ocelot Okapi Oriole Osprey Otter Owl "
    "Panda Pangolin Partridge Pelican Penguin Petrel Pika Pipit Plover Puffin Quail Quokka Quoll Raven Redstart "
    "Reindeer Robin Salmon Sandpiper Seahorse Seal Serval Siskin Skylark Sparrow Squirrel Starling Stoat Stork "
    "Sturgeon Swallow Swan Swift Tamarin Tapir Teal Tern Thrush Toucan Trout Turtle Vole Wagtail Wallaby Walrus "
    "Warbler Waxwing Whimbrel Wombat Wren Yak Zebra"
)
ADJECTIVES = tuple(_ADJECTIVES.split())
ANIMALS = tuple(_ANIMALS.split())
NUMBER_MIN, NUMBER_MAX = 10, 999


class Chance(Protocol):
    """What random choices are made with: `random.SystemRandom()` in the server, a seeded one in tests."""

    def randrange(self, start: int, stop: int) -> int:
        """A number from `start` to before `stop`."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits as a number."""
        ...


def guest_name(chance: Chance) -> str:
    """A friendly name such as `Brisk Otter 412`; not unique, and with its spaces no name that could be claimed."""
    adjective = ADJECTIVES[chance.randrange(0, len(ADJECTIVES))]
    animal = ANIMALS[chance.randrange(0, len(ANIMALS))]
    return f"{adjective} {animal} {chance.randrange(NUMBER_MIN, NUMBER_MAX + 1)}"
