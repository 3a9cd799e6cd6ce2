"""Everything that menus, buttons and keys can do, one file a menu."""
